"""What should I do? Exact answers: what kills a target, who attacks whom, where a re-roll belongs."""
