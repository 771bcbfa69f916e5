"""One HTML file that opens offline: findings to filter, a map, a matrix, and what was not read.

Everything is in the file. A content security policy allows no request, and no script or style but
the two whose digests it names. What files of strangers hold goes in as JSON in an element that no
browser runs, and the script shows it as text only.
"""
