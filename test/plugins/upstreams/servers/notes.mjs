import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

/** Does what the flags of a server on standard input and output say. Returns the function that records events in the file of `EVENTS`. */
export function begin() {
  const { EVENTS: file } = process.env;
  const note = (event) => file && appendFileSync(file, `${JSON.stringify(event)}\n`);
  if (process.argv.includes('noise')) {
    process.stdout.write('a banner on standard output\n');
    process.stderr.write('a banner on standard error\n');
  }
  const child = process.argv.includes('child')
    ? spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }).pid
    : undefined;
  note({ event: 'started', pid: process.pid, child, env: Object.keys(process.env).sort() });
  if (process.argv.includes('hang')) setInterval(() => {}, 1000);
  return note;
}
