import { spawn } from 'node:child_process';

/** The program that opens an address in the default browser, and its arguments before the address. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens an address in the default browser, without a shell: the address is foreign text. Resolves to false when there is no program for it. The
 * browser stays open when this program ends.
 */
export function openBrowser(url: string, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  const [program, ...given] = openers[platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...given, url], { stdio: 'ignore', detached: true, shell: false });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
