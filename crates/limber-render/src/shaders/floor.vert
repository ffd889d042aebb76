// A large square at height 0 around the bodies.
uniform mat4 viewProjection;
uniform vec4 floorFrame; // middle x, middle z, half a side, metres between lines

in vec2 corner;
out vec2 ground;

void main() {
    ground = floorFrame.xy + corner * floorFrame.z;
    gl_Position = viewProjection * vec4(ground.x, 0.0, ground.y, 1.0);
}
