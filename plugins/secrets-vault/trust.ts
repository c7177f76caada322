import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Agent } from 'undici';
import { refusal } from '../shared/remote-secrets/store-failure.ts';
import { decodeUtf8 } from '../shared/text/utf8.ts';

/** Connections that trust the certificates of a PEM file and no others. The file is read when it is first used, and after `reset`. */
export class Trust {
  #agents = new Map<string, Promise<Agent>>();

  /** Throws SECRET_STORE_UNAVAILABLE, not retryable, for a file without usable certificates. `file` is absolute. */
  async agent(file: string): Promise<Agent> {
    const kept = this.#agents.get(file) ?? openAgent(file);
    this.#agents.set(file, kept);
    try {
      return await kept;
    } catch (error) {
      this.#agents.delete(file);
      throw error;
    }
  }

  /** Ends every connection. A certificate that was replaced counts from now on. */
  async reset(): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents = new Map();
    await Promise.all(agents.map((opening) => opening.then((agent) => agent.destroy()).catch(() => {})));
  }
}

async function openAgent(file: string): Promise<Agent> {
  const ca = await certificatesIn(file);
  const { Agent } = await import('undici');
  return new Agent({ connect: { ca } });
}

async function certificatesIn(file: string): Promise<string[]> {
  const refuse = (received: string, cause?: unknown) =>
    refusal(
      `The certificates to trust (caCert, VAULT_CACERT) cannot be used: expected a PEM file with certificates, received "${file}", ${received}. Correct the path or the file.`,
      { file },
      cause,
    );
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw refuse(error.code === 'ENOENT' ? 'which does not exist' : `which cannot be read (${error.code})`, error);
  });
  const { text } = decodeUtf8(bytes);
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g);
  if (blocks === null) throw refuse('which holds none');
  try {
    for (const block of blocks) new X509Certificate(block);
  } catch (error) {
    throw refuse('in which one is damaged', error);
  }
  return blocks;
}
