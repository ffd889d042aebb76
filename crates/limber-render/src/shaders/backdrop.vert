// A full-screen triangle behind everything.
in vec2 cover;
out vec2 place;

void main() {
    place = cover * 0.5 + 0.5;
    gl_Position = vec4(cover, 0.999999, 1.0);
}
