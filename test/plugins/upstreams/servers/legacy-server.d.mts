import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

export declare function legacyServer(note?: (event: { event: string }) => void): Server;
