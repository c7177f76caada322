/**
 * Imports a module, and reports on descriptor 3 how that changed the process: `import-probe.mjs <kernel> <module>`. Effects of importing the kernel, which
 * a plugin imports too, do not count.
 */
import { ChildProcess } from 'node:child_process';
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

const [kernel, module] = process.argv.slice(-2);
await import(kernel);
// Created on first use.
void [process.stdout, process.stderr];
const counts = { connections: 0, programs: 0 };
for (const [target, method, counter] of [
  [Socket.prototype, 'connect', 'connections'],
  [ChildProcess.prototype, 'spawn', 'programs'],
]) {
  const run = target[method];
  target[method] = function (...given) {
    counts[counter]++;
    return run.apply(this, given);
  };
}

/** Same as `processState` of process-state.ts. */
const state = () => ({
  environment: { ...process.env },
  folder: process.cwd(),
  globals: Object.getOwnPropertyNames(globalThis),
  listeners: Object.fromEntries(process.eventNames().map((event) => [String(event), process.listenerCount(event)])),
  resources: process.getActiveResourcesInfo(),
});

const before = state();
let exported = {};
let failure;
try {
  exported = await import(module);
} catch (error) {
  failure = String(error);
}
// Work that ends by itself is no running work.
for (let turn = 0; turn < 20; turn++) await setImmediate();
const functions = Object.values(exported).filter((value) => typeof value === 'function');
const isPlugin = exported.default !== undefined || functions.length === 1;
writeSync(3, JSON.stringify({ before, after: state(), failure, isPlugin, ...counts }));
process.exit(0);
