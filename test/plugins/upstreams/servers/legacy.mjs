// The server of 2025 on standard input and output.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { legacyServer } from './legacy-server.mjs';
import { begin } from './notes.mjs';

await legacyServer(begin()).connect(new StdioServerTransport());
