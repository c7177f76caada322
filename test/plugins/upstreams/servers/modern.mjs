// The server of 2026-07-28 on standard input and output.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { modernServer } from './modern-server.mjs';
import { begin } from './notes.mjs';

const note = begin();
serveStdio(() => modernServer(note), { legacy: 'reject' });
