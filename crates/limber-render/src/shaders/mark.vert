// A ring on the floor.
uniform mat4 viewProjection;

in vec2 corner;
in vec4 mark; // x, height, z, radius
out vec2 inRing;

void main() {
    inRing = corner;
    vec3 world = mark.xyz + vec3(corner.x, 0.0, corner.y) * mark.w;
    gl_Position = viewProjection * vec4(world, 1.0);
}
