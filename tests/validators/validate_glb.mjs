// validate_glb.mjs FILE: Khronos' glTF validator on one GLB. Prints errors and warnings as lines,
// ends with 0 when there are none.
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
  // without tangents readers make them by MikkTSpace, as the specification asks (3.7.2.1)
  ignoredIssues: ['MESH_PRIMITIVE_GENERATED_TANGENT_SPACE'],
  externalResourceFunction: (uri) => Promise.reject(new Error(`external URI refused: ${uri}`)),
});
const serious = report.issues.messages.filter((issue) => issue.severity <= 1);
for (const { code, message, pointer } of serious) {
  console.log(`${code} ${pointer ?? ''}: ${message}`);
}
process.exit(serious.length + report.issues.numErrors > 0 ? 1 : 0);
