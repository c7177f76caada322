/**
 * Imports a module and tells on descriptor 3 what that did to the process: `import-probe.mjs <kernel> <module>`. What importing the kernel
 * does, which a plugin imports as well, does not count.
 */
import { ChildProcess } from 'node:child_process';
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

const [kernel, module] = process.argv.slice(-2);
await import(kernel);
// Made when they are first asked for.
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

/** As `processState` of process-state.ts. */
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
// What has ended by itself is no work that goes on.
for (let turn = 0; turn < 20; turn++) await setImmediate();
const functions = Object.values(exported).filter((value) => typeof value === 'function');
const isPlugin = exported.default !== undefined || functions.length === 1;
writeSync(3, JSON.stringify({ before, after: state(), failure, isPlugin, ...counts }));
process.exit(0);
