/** Prints the optional packages that the image has for the configuration of compose.cluster.yaml. `pg` and `libsql` come with packages of tools. */
import { readFile } from 'node:fs/promises';

// Own text: package.json.
const { peerDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
process.stdout.write(`bullmq@${peerDependencies.bullmq}\n`);
