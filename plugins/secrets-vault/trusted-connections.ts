import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { PluginConnections } from '../shared/http/plugin-connections.ts';
import { refusal } from '../shared/remote-secrets/store-failure.ts';
import { decodeUtf8 } from '../shared/text/utf8.ts';

/** Connections that trust only the certificates of a PEM file. The file is read at the first use, and after `reset`. */
export class TrustedConnections {
  #connections = new Map<string, Promise<PluginConnections>>();

  /**
   * Returns the connections that trust the certificates of a file. `file` is absolute; undefined trusts the usual authorities.
   * Throws SECRET_STORE_UNAVAILABLE, not retryable, for a file without usable certificates.
   */
  async connections(file: string | undefined): Promise<PluginConnections> {
    const key = file ?? '';
    const opening = this.#connections.get(key) ?? open(file);
    this.#connections.set(key, opening);
    try {
      return await opening;
    } catch (error) {
      this.#connections.delete(key);
      throw error;
    }
  }

  /** Closes every connection. A replaced certificate file is used from now on. */
  async reset(): Promise<void> {
    const opened = [...this.#connections.values()];
    this.#connections = new Map();
    await Promise.all(opened.map((opening) => opening.then((connections) => connections.close()).catch(() => {})));
  }
}

async function open(file: string | undefined): Promise<PluginConnections> {
  return new PluginConnections(file === undefined ? undefined : await certificatesIn(file));
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
