"""Side-by-side benchmark: the same client workloads against riverlog and Apache Kafka."""
