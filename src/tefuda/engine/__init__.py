"""What a game is: the state and its piles, rules files and their two lives, running games, views, records."""
