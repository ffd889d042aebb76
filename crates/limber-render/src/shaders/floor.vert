// A large square around the bodies at height 0.
uniform mat4 viewProjection;
uniform vec4 floorFrame; // centre x, centre z, half a side, distance between lines; metres

in vec2 corner;
out vec2 ground;

void main() {
    ground = floorFrame.xy + corner * floorFrame.z;
    gl_Position = viewProjection * vec4(ground.x, 0.0, ground.y, 1.0);
}
