print("obscura")
