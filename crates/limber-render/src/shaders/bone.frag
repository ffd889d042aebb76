uniform vec3 eye;
in vec3 bonePosition;
in vec4 boneTint;
out vec4 outColor;

void main() {
    vec3 n = normalize(cross(dFdx(bonePosition), dFdy(bonePosition)));
    vec3 v = normalize(eye - bonePosition);
    float light = 0.62 + 0.38 * abs(dot(n, normalize(v + vec3(0.2, 0.6, 0.0))));
    outColor = vec4(boneTint.rgb * light, boneTint.a);
}
