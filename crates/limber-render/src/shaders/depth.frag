// Only the depth is kept.
void main() {}
