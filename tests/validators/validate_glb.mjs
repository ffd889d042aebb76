// validate_glb.mjs FILE: runs Khronos' glTF validator on a GLB. Prints errors and warnings, one per
// line, and exits with 0 if there are none.
import { readFile } from 'node:fs/promises';
import validator from 'gltf-validator';

const [file] = process.argv.slice(2);
if (!file) {
  console.error('usage: validate_glb.mjs FILE');
  process.exit(2);
}
const report = await validator.validateBytes(new Uint8Array(await readFile(file)), {
  format: 'glb',
  maxIssues: 100,
  // if tangents are missing, readers generate them by MikkTSpace, as specified (3.7.2.1)
  ignoredIssues: ['MESH_PRIMITIVE_GENERATED_TANGENT_SPACE'],
  externalResourceFunction: (uri) => Promise.reject(new Error(`external URI refused: ${uri}`)),
});
const serious = report.issues.messages.filter((issue) => issue.severity <= 1);
for (const { code, message, pointer } of serious) {
  console.log(`${code} ${pointer ?? ''}: ${message}`);
}
process.exit(serious.length + report.issues.numErrors > 0 ? 1 : 0);
