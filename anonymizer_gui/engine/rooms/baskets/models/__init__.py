"""What can be promised of baskets, one file each."""
