/** Reads YAML beside the server: the library takes seconds for a megabyte. Answers with the value, or with what is wrong. */
const { parentPort, workerData } = require('node:worker_threads');
const { parse } = require('yaml');

try {
  parentPort.postMessage({ value: parse(workerData, { logLevel: 'error' }) });
} catch (error) {
  parentPort.postMessage({ problem: error.message });
}
