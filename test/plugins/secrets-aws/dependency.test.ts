import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);

/** Resolves the package as from the root of the file system, where it is not installed. */
const hooks = `export const resolve = (name, context, next) =>
  next(name, name === '@aws-sdk/client-secrets-manager' ? { ...context, parentURL: 'file:///nowhere.js' } : context);`;

const preload = `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)});`;

const program = `
  const { createKernel } = await import(${JSON.stringify(pathToFileURL(path.resolve('kernel/index.ts')).href)});
  const { secretsAws } = await import(${JSON.stringify(pathToFileURL(path.resolve('plugins/secrets-aws/index.ts')).href)});
  const silent = { error() {}, warn() {}, info() {}, debug() {} };
  const kernel = await createKernel({ plugins: [secretsAws({ region: 'eu-central-1' })], logger: silent });
  const error = await kernel.resolveSecrets(['SHOP_TOKEN']).catch((error) => error);
  await kernel.close();
  console.log(JSON.stringify(error));`;

describe('secrets from AWS without the package of AWS', () => {
  it('load, and say how to install it when they are needed', async () => {
    const args = [
      '--import',
      'tsx',
      '--import',
      `data:text/javascript,${encodeURIComponent(preload)}`,
      '--input-type=module',
      '-e',
      program,
    ];
    const { stdout } = await run(process.execPath, args);
    expect(JSON.parse(stdout)).to.deep.equal({
      code: 'DEPENDENCY_MISSING',
      message:
        'secrets-aws needs the package @aws-sdk/client-secrets-manager, which is not installed. Run: npm install @aws-sdk/client-secrets-manager',
      retryable: false,
      package: '@aws-sdk/client-secrets-manager',
      plugin: 'secrets-aws',
      hook: 'resolveSecrets',
    });
  });
});
