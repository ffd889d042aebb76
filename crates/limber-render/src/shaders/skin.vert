// Skinning. Row r of `jointRows` (counted from the bottom) contains the three rows of the affine
// matrix of joint jointCount - 1 - r, because the upload flips rows.
uniform mat4 viewProjection;
uniform vec3 offset;
uniform sampler2D jointRows;
uniform int jointCount;
uniform float eightJoints; // 1 if vertices may have more than four influences

in vec3 position;
in vec3 normal;
in vec2 uv;
in vec4 color;
in uvec4 joints;
in vec4 weights;
in uvec4 moreJoints;
in vec4 moreWeights;

out vec3 worldPosition;
out vec3 worldNormal;
out vec2 surface;
out vec4 vertexColor;

// Rows of the vertex's blended joint matrix.
vec4 x = vec4(0.0);
vec4 y = vec4(0.0);
vec4 z = vec4(0.0);

void add(uvec4 places, vec4 shares) {
    for (int i = 0; i < 4; i++) {
        if (shares[i] > 0.0) {
            int row = jointCount - 1 - int(places[i]);
            x += shares[i] * texelFetch(jointRows, ivec2(0, row), 0);
            y += shares[i] * texelFetch(jointRows, ivec2(1, row), 0);
            z += shares[i] * texelFetch(jointRows, ivec2(2, row), 0);
        }
    }
}

void main() {
    add(joints, weights);
    if (eightJoints > 0.5) {
        add(moreJoints, moreWeights);
    }
    vec4 bound = vec4(position, 1.0);
    worldPosition = vec3(dot(x, bound), dot(y, bound), dot(z, bound)) + offset;
    worldNormal = vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
    surface = vec2(uv.x, 1.0 - uv.y);
    vertexColor = color;
    gl_Position = viewProjection * vec4(worldPosition, 1.0);
}
