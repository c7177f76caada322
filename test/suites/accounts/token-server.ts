import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A refresh that has arrived and is not answered. */
interface HeldRequest {
  readonly name: string;
  readonly refreshToken: string;
  readonly response: ServerResponse;
}

/** A token server that replaces each refresh token and accepts only the last one of a name, from `<name> 0` on. */
export class TokenServer {
  /** Refreshes that it has accepted, by name. */
  readonly accepted = new Map<string, number>();
  /** Refreshes that it has refused, by name. */
  readonly refused = new Map<string, number>();
  /** Names whose next refresh gets no answer. `acts`: the refresh token is replaced all the same. */
  readonly silent = new Map<string, 'acts' | 'ignores'>();
  onSilence: (name: string) => void = () => {};
  #isHolding = false;
  #held: HeldRequest[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const body = new URLSearchParams(await text(request));
      const held = { name: body.get('name') ?? '', refreshToken: body.get('refresh_token') ?? '', response };
      if (this.#isHolding) this.#held.push(held);
      else this.#answer(held);
    });
  }

  static async start(): Promise<TokenServer> {
    const server = new TokenServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Answers nothing until `release`. */
  hold(): void {
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
    for (const held of this.#held.splice(0)) this.#answer(held);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer({ name, refreshToken, response }: HeldRequest): void {
    const count = this.accepted.get(name) ?? 0;
    const silence = this.silent.get(name);
    this.silent.delete(name);
    const isAccepted = refreshToken === `${name} ${count}`;
    if (isAccepted && silence !== 'ignores') this.accepted.set(name, count + 1);
    if (!isAccepted) this.refused.set(name, (this.refused.get(name) ?? 0) + 1);
    if (silence !== undefined) {
      this.onSilence(name);
      return;
    }
    const next = `${name} ${count + 1}`;
    const answer = isAccepted ? { access_token: next, refresh_token: next } : { error: 'invalid_grant' };
    response.writeHead(isAccepted ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }
}
