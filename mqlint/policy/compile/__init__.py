"""From the plain form of a policy to predicates and the clauses that an index needs."""
