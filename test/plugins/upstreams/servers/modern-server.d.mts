import type { Server } from '@modelcontextprotocol/server';

interface Notifier {
  toolsChanged(): void;
}

export declare function modernServer(note?: (event: { event: string }) => void, notifier?: () => Notifier): Server;
