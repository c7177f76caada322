/** Lets a worker thread import TypeScript where the sources themselves run: a thread has no loader of its own on every Node. */
import { register as registerRequire } from 'tsx/cjs/api';
import { register as registerImport } from 'tsx/esm/api';

registerImport();
registerRequire();
