import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { renameSync } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { expect } from 'chai';
import type { TlsContext, TlsMaterial } from '../../../../../plugins/shared/http/tls/material.ts';
import { type TlsOptions, tlsMaterial } from '../../../../../plugins/shared/http/tls/tls-material.ts';
import { rejection } from '../../../../support/rejection.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';

const dayMs = 24 * 60 * 60 * 1000;
const kept = '.toolkit/certs/localhost-1.pem';
const next = '.toolkit/certs/localhost-2.pem';
const inDays = (days: number) => () => Date.now() + days * dayMs;
const openssl = (cwd: string, command: string): void => void execFileSync('openssl', command.split(' '), { cwd, stdio: 'pipe' });
const newKey = 'genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256';
const newCertificate = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90';

/** `tls.crt` with `tls.key`, valid for 90 days, and files that are of no use. */
async function ownCertificate(): Promise<string> {
  const cwd = await temporaryFolder({ 'empty.pem': '\n', 'text.pem': 'certificate' });
  openssl(cwd, `${newCertificate} -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout tls.key -out tls.crt`);
  for (const kind of ['crt', 'key']) {
    const text = await readFile(path.join(cwd, `tls.${kind}`), 'utf8');
    await writeFile(path.join(cwd, `damaged.${kind}`), text.slice(0, 60) + text.slice(90));
  }
  return cwd;
}

async function material(
  options: TlsOptions,
  place: Partial<TlsContext> & { cwd: string },
): Promise<TlsMaterial & { certificateFile: string }> {
  const made = await tlsMaterial(options, { names: [], ...place });
  if (made === undefined) throw new Error('expected HTTPS');
  return { certificateFile: '', ...made };
}

const selfSigned = (cwd: string, more: Partial<TlsContext> = {}) => material({ selfSigned: true }, { cwd, ...more });
const own = (cwd: string, more: Partial<TlsContext> = {}, paths: TlsOptions = {}) =>
  material({ certPath: 'tls.crt', keyPath: 'tls.key', ...paths }, { cwd, ...more });

/** Asks an HTTPS server with this material under a host name, which is checked but not looked up. */
async function answer({ cert, key }: TlsMaterial, host: string, ca?: string): Promise<string> {
  const server = https.createServer({ cert, key }, (_request, response) => response.end('served'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise((resolve, reject) => {
      const createConnection = () => tls.connect({ socket: net.connect(port, '127.0.0.1'), host, ca });
      const request = https.get({ host, port, createConnection }, (response) => response.on('data', (data) => resolve(String(data))));
      request
        .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
        .on('close', () => reject(new Error('closed')));
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A folder for the PATH in which `openssl` is this shell script. */
async function scriptedOpenssl(script: string): Promise<string> {
  const folder = await temporaryFolder({ openssl: `#!/bin/sh\n${script}\n` });
  await chmod(path.join(folder, 'openssl'), 0o755);
  return folder;
}

describe('the TLS material of the MCP server', () => {
  for (const options of [{}, { https: false }, { https: false, selfSigned: false, certPath: undefined, keyPath: undefined }]) {
    it(`is none for ${JSON.stringify(options)}`, async () => {
      expect(await tlsMaterial(options, { cwd: '/nowhere', names: [] })).to.equal(undefined);
    });
  }

  const incomplete: { options: TlsOptions; says: string }[] = [
    { options: { https: true }, says: 'none of them' },
    { options: { https: true, selfSigned: false }, says: 'none of them' },
    { options: { certPath: 'a' }, says: 'only certPath (--cert)' },
    { options: { https: true, keyPath: 'a' }, says: 'only keyPath (--key)' },
    {
      options: { selfSigned: true, certPath: 'a', keyPath: 'b' },
      says: 'selfSigned (--self-signed) and certPath (--cert) and keyPath (--key)',
    },
    { options: { selfSigned: true, keyPath: 'b' }, says: 'selfSigned (--self-signed) and keyPath (--key)' },
  ];
  for (const { options, says } of incomplete) {
    it(`is refused for ${JSON.stringify(options)}, and the error says what to give`, async () => {
      const error = await rejection(tlsMaterial(options, { cwd: await temporaryFolder(), names: [] }), 'CONFIG_INVALID');
      expect(error.message)
        .to.include(`received ${says}`)
        .and.to.match(/Give --cert with --key, or --self-signed\.|Leave one of them out\./);
    });
  }

  describe('from files', () => {
    it('is a certificate and a key that a client who trusts it accepts, with the time at which it expires', async () => {
      const cwd = await ownCertificate();
      const made = await own(cwd);
      expect(await answer(made, 'localhost', made.cert)).to.equal('served');
      expect(made.expiresAt).to.equal(Date.parse(new X509Certificate(made.cert).validTo));
    });

    it('includes the chain, so that a client needs to trust its root only', async () => {
      const cwd = await temporaryFolder();
      const signed = (by: string): string => `-CA ${by}.crt -CAkey ${by}.key -addext`;
      openssl(cwd, `${newCertificate} -subj /CN=root -keyout root.key -out root.crt`);
      openssl(cwd, `${newCertificate} -subj /CN=middle -keyout middle.key -out middle.crt ${signed('root')} basicConstraints=CA:TRUE`);
      openssl(cwd, `${newCertificate} -subj /CN=leaf -keyout tls.key -out leaf.crt ${signed('middle')} subjectAltName=DNS:localhost`);
      const names = ['root.crt', 'middle.crt', 'leaf.crt'];
      const [root, middle, leaf] = await Promise.all(names.map((name) => readFile(path.join(cwd, name), 'utf8')));
      await writeFile(path.join(cwd, 'tls.crt'), `the server:\n${leaf}and who vouches for it:\n${middle}`);
      expect(await answer(await own(cwd), 'localhost', root)).to.equal('served');
    });

    it('may come from one file, and never has the key in the certificate', async () => {
      const cwd = await ownCertificate();
      const [cert, key] = await Promise.all(['tls.crt', 'tls.key'].map((name) => readFile(path.join(cwd, name), 'utf8')));
      await writeFile(path.join(cwd, 'both.pem'), `${key}${cert}`);
      const made = await material({ https: false, certPath: 'both.pem', keyPath: path.join(cwd, 'both.pem') }, { cwd });
      expect(made.cert).to.equal(cert);
      expect(await answer(made, 'localhost', made.cert)).to.equal('served');
    });

    for (const command of ['ec -in tls.key -out made.key', 'pkey -in tls.key -out made.key -traditional']) {
      it(`takes a key as "openssl ${command}" writes it`, async () => {
        const cwd = await ownCertificate();
        openssl(cwd, command);
        const made = await own(cwd, {}, { keyPath: 'made.key' });
        expect(await answer(made, 'localhost', made.cert)).to.equal('served');
      });
    }

    const wrong: { name: string; make?: string; certPath?: string; keyPath?: string; says: string }[] = [
      { name: 'certificate that does not exist', certPath: 'made', says: 'does not exist' },
      { name: 'key that does not exist', keyPath: 'made', says: 'does not exist' },
      { name: 'name with a null byte', keyPath: 'a\0b', says: 'ERR_INVALID_ARG_VALUE' },
      { name: 'folder for a certificate', certPath: '.', says: 'received a folder' },
      { name: 'certificate file that is empty', certPath: 'empty.pem', says: 'received an empty file' },
      { name: 'text for a certificate', certPath: 'text.pem', says: 'received text without it' },
      { name: 'certificate in DER', make: 'x509 -in tls.crt -out made -outform der', certPath: 'made', says: 'received binary data' },
      { name: 'key in DER', make: 'pkey -in tls.key -out made -outform der', keyPath: 'made', says: 'received binary data' },
      { name: 'key for a certificate', certPath: 'tls.key', says: 'received a PEM file with "-----BEGIN PRIVATE KEY-----"' },
      { name: 'certificate for a key', keyPath: 'tls.crt', says: 'received a PEM file with "-----BEGIN CERTIFICATE-----"' },
      { name: 'damaged certificate', certPath: 'damaged.crt', says: 'a block that is damaged' },
      { name: 'damaged key', keyPath: 'damaged.key', says: 'a block that is damaged' },
      { name: 'key of something else', make: `${newKey} -out made`, keyPath: 'made', says: 'received the key of another' },
      {
        name: 'key that is encrypted',
        make: 'pkcs8 -topk8 -in tls.key -out made -passout pass:word',
        keyPath: 'made',
        says: 'an encrypted one',
      },
      {
        name: 'key encrypted the old way',
        make: 'ec -in tls.key -out made -aes128 -passout pass:word',
        keyPath: 'made',
        says: 'an encrypted one',
      },
    ];
    for (const { name, make, says, ...paths } of wrong) {
      it(`cannot be made with a ${name}, and the error names the option and the file but nothing of the key`, async () => {
        const cwd = await ownCertificate();
        if (make !== undefined) openssl(cwd, make);
        const error = await rejection(own(cwd, {}, paths), 'CONFIG_INVALID');
        const [[option, given] = ['', '']] = Object.entries(paths);
        const file = path.resolve(cwd, given);
        expect(error.message)
          .to.include(`${option} (--${option.slice(0, -4)}) names "${file}": expected`)
          .and.to.include(says);
        expect(error.details).to.deep.equal({ option, file });
        const key = await readFile(path.join(cwd, 'tls.key'), 'utf8');
        for (const line of key.split('\n').slice(1, 4)) expect(`${error.message}${error.cause}`).not.to.include(line);
      });
    }

    it('cannot be made with a key that is too short for TLS', async () => {
      const cwd = await ownCertificate();
      openssl(cwd, 'req -x509 -newkey rsa:512 -nodes -days 90 -subj /CN=x -keyout tls.key -out tls.crt');
      expect((await rejection(own(cwd), 'CONFIG_INVALID')).message)
        .to.include('received one it refuses: ')
        .and.to.include('key too small');
    });

    for (const { days, says } of [
      { days: -1, says: 'is not valid before' },
      { days: 91, says: 'expired at' },
    ]) {
      it(`cannot be made with a certificate that ${says} another day than this`, async () => {
        const error = await rejection(own(await ownCertificate(), { now: inDays(days) }), 'CONFIG_INVALID');
        expect(error.message).to.include('valid now (').and.to.include(says);
      });
    }
  });

  describe('that is self-signed', () => {
    const names = ['Tools.Example', 'my_service', '192.0.2.7', 'fd00::1', '[fd00::2]', '::ffff:192.0.2.8'];
    for (const host of [
      'localhost',
      '127.0.0.1',
      '::1',
      'tools.example',
      'my_service',
      '192.0.2.7',
      'fd00::1',
      'fd00::2',
      '::ffff:192.0.2.8',
    ]) {
      it(`is accepted at ${host} by a client that trusts its certificate, and by no other`, async () => {
        const made = await selfSigned(await temporaryFolder(), { names });
        expect(await answer(made, host, await readFile(made.certificateFile, 'utf8'))).to.equal('served');
        expect(await answer(made, host)).to.equal('DEPTH_ZERO_SELF_SIGNED_CERT');
      });
    }

    for (const host of ['other.example', 'a.localhost', '127.0.0.2', '::2']) {
      it(`is refused at ${host}, which it does not cover`, async () => {
        const made = await selfSigned(await temporaryFolder());
        expect(await answer(made, host, made.cert)).to.equal('ERR_TLS_CERT_ALTNAME_INVALID');
      });
    }

    it('is a P-256 certificate of a server, not of an authority, for 365 days', async () => {
      const made = await selfSigned(await temporaryFolder());
      const certificate = new X509Certificate(made.cert);
      expect(certificate.publicKey.asymmetricKeyDetails).to.deep.equal({ namedCurve: 'prime256v1' });
      expect(certificate.subject).to.equal('CN=localhost');
      expect(execFileSync('openssl', ['x509', '-noout', '-ext', 'basicConstraints'], { input: made.cert, encoding: 'utf8' })).to.match(
        /: critical\s+CA:FALSE\s*$/,
      );
      expect(certificate.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.1']);
      expect(made.expiresAt).to.equal(Date.parse(certificate.validTo));
      expect(made.expiresAt - Date.parse(certificate.validFrom)).to.equal(365 * dayMs);
    });

    it('lies in .toolkit/certs: the pair for this account only, the certificate alone, and what keeps both out of git', async () => {
      const cwd = await temporaryFolder();
      const { cert, key, certificateFile } = await selfSigned(cwd);
      const folder = path.join(cwd, '.toolkit/certs');
      expect(certificateFile).to.equal(path.join(folder, 'localhost.crt'));
      const texts = (await readdir(folder)).map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')]);
      const seen = Object.fromEntries(await Promise.all(texts));
      expect(seen).to.deep.equal({ '.gitignore': '*\n', 'localhost.crt': cert, 'localhost-1.pem': key + cert });
      expect([await modeOf(folder), await modeOf(path.join(cwd, kept))]).to.deep.equal(['700', '600']);
    });

    it('is never open to others, whatever the umask, not while openssl runs either', async () => {
      const cwd = await temporaryFolder();
      const seen = path.join(cwd, 'seen');
      const script = `PATH='${process.env['PATH']}'; ls -ldn . .. key.pem > '${seen}'; exec openssl "$@"`;
      const PATH = await scriptedOpenssl(script);
      const umask = process.umask(0);
      try {
        await selfSigned(cwd, { env: { PATH } });
      } finally {
        process.umask(umask);
      }
      const lines = (await readFile(seen, 'utf8')).trim().split('\n');
      expect(lines.map((line) => line.slice(0, 10)).sort()).to.deep.equal(['-rw-------', 'drwx------', 'drwx------']);
      const after = ['.toolkit', '.toolkit/certs', kept].map((name) => modeOf(path.join(cwd, name)));
      expect(await Promise.all(after)).to.deep.equal(['755', '700', '600']);
    });

    it('closes a folder that was open to others, and leaves a .gitignore there as it is', async () => {
      const cwd = await temporaryFolder({ '.toolkit/certs/.gitignore': 'own\n' });
      await chmod(path.join(cwd, '.toolkit/certs'), 0o777);
      await selfSigned(cwd);
      expect(await modeOf(path.join(cwd, '.toolkit/certs'))).to.equal('700');
      expect(await readFile(path.join(cwd, '.toolkit/certs/.gitignore'), 'utf8')).to.equal('own\n');
    });

    for (const days of [0, 334]) {
      it(`is used again ${days} days later, also for fewer names, without openssl`, async () => {
        const cwd = await temporaryFolder();
        const first = await selfSigned(cwd, { names });
        const again = await selfSigned(cwd, { names: names.slice(1), now: inDays(days), env: { PATH: await temporaryFolder() } });
        expect(again).to.deep.equal(first);
      });
    }

    const renewed: { name: string; change?: (file: string) => unknown; more?: Partial<TlsContext> }[] = [
      { name: 'has less than 30 days left', more: { now: inDays(336) } },
      { name: 'is not valid yet', more: { now: inDays(-1) } },
      { name: 'does not cover a host name', more: { names: ['tools.example'] } },
      { name: 'does not cover an address', more: { names: ['192.0.2.7'] } },
      { name: 'is empty', change: (file) => writeFile(file, '') },
      { name: 'is cut off', change: async (file) => writeFile(file, (await readFile(file, 'utf8')).slice(0, -100)) },
      { name: 'has no key', change: (file) => copyFile(certificateBeside(file), file) },
      { name: 'has the key of another', change: async (file) => writeFile(file, await withAnotherKey(file)) },
      { name: 'is readable by the group', change: (file) => chmod(file, 0o640) },
      { name: 'is writable by others', change: (file) => chmod(file, 0o602) },
      { name: 'is a symbolic link', change: (file) => rename(file, `${file}.own`).then(() => symlink(`${file}.own`, file)) },
      { name: 'is a folder', change: (file) => rm(file).then(() => mkdir(file)) },
      { name: 'is gone', change: (file) => rm(file) },
    ];
    for (const { name, change = () => {}, more = {} } of renewed) {
      it(`is made anew when the kept one ${name}`, async () => {
        const cwd = await temporaryFolder();
        const first = await selfSigned(cwd);
        await change(path.join(cwd, kept));
        const second = await selfSigned(cwd, more);
        expect(second.key).not.to.equal(first.key);
        expect(await answer(second, 'localhost', await readFile(second.certificateFile, 'utf8'))).to.equal('served');
        const left = (await readdir(path.join(cwd, '.toolkit/certs'))).filter(
          (entry) => entry.endsWith('.pem') || entry.startsWith('new-'),
        );
        expect(left).to.deep.equal([path.basename(name === 'is gone' ? kept : next)]);
        expect(await modeOf(path.join(cwd, '.toolkit/certs', left[0] ?? ''))).to.equal('600');
        expect(await readFile(path.join(cwd, '.toolkit/certs', left[0] ?? ''), 'utf8')).to.equal(second.key + second.cert);
      });
    }

    it('never has a key in its certificate file, not when the kept one has a second key behind the certificate', async () => {
      const cwd = await temporaryFolder();
      const first = await selfSigned(cwd);
      await writeFile(path.join(cwd, kept), first.key + first.cert + first.key);
      const { cert, certificateFile } = await selfSigned(cwd);
      expect([cert, await readFile(certificateFile, 'utf8')]).to.deep.equal([first.cert, first.cert]);
    });

    const lost: { name: string; change: (file: string) => Promise<void> }[] = [
      { name: 'gone', change: (file) => rm(file) },
      { name: 'that of another', change: (file) => writeFile(file, 'another') },
    ];
    for (const { name, change } of lost) {
      it(`gets its certificate file back when that is ${name}`, async () => {
        const cwd = await temporaryFolder();
        const first = await selfSigned(cwd);
        await change(first.certificateFile);
        expect(await selfSigned(cwd)).to.deep.equal(first);
        expect(await readFile(first.certificateFile, 'utf8')).to.equal(first.cert);
      });
    }

    for (const files of [{}, { [kept]: 'broken' }]) {
      it(`is the same for servers that start at once where ${kept in files ? 'the kept one is broken' : 'there is none'}`, async () => {
        const cwd = await temporaryFolder(files);
        const [one, ...others] = await Promise.all([selfSigned(cwd), selfSigned(cwd), selfSigned(cwd), selfSigned(cwd)]);
        for (const other of others) expect(other).to.deep.equal(one);
        expect(await readFile(path.join(cwd, kept in files ? next : kept), 'utf8')).to.equal(one.key + one.cert);
        expect(await readFile(one.certificateFile, 'utf8')).to.equal(one.cert);
      });
    }

    it('is that of another server which is ready a moment earlier', async () => {
      const another = await temporaryFolder();
      const good = await selfSigned(another);
      const cwd = await temporaryFolder({ [kept]: 'broken' });
      // The clock is read whenever the kept one is looked at: the second time, nothing but its place in the folder is left to do.
      let looks = 0;
      const now = (): number => {
        looks += 1;
        if (looks === 2) renameSync(path.join(another, kept), path.join(cwd, next));
        return Date.now();
      };
      expect(await selfSigned(cwd, { now })).to.deep.equal({ ...good, certificateFile: path.join(cwd, '.toolkit/certs/localhost.crt') });
      expect(await readFile(path.join(cwd, next), 'utf8')).to.equal(good.key + good.cert);
    });

    const injected = ['a\nDNS.9 = b', 'a\n', 'a,DNS:b', '$ENV::HOME', 'a\\b', 'a#b', 'a=b', '@names', 'a;b', 'a b'];
    const malformed = ['', '*.example', '-a', 'a-', 'a..b', 'a.', 'müller.example', 'a:80', '[::1]:80', '[a]', 'fe80::1%eth0', '1.2.3.256'];
    for (const name of [...injected, ...malformed, 'a'.repeat(64), `${'a.'.repeat(127)}a`]) {
      it(`does not cover ${JSON.stringify(name).slice(0, 40)}, and nothing is written`, async () => {
        const cwd = await temporaryFolder();
        const error = await rejection(selfSigned(cwd, { names: ['localhost', name] }), 'CONFIG_INVALID');
        expect(error.message).to.include('cannot cover "').and.to.include('expected a host name in ASCII');
        expect(await readdir(cwd)).to.deep.equal([]);
      });
    }

    const badFolders: { name: string; prepare: (cwd: string) => unknown; says: string }[] = [
      {
        name: 'whose .toolkit is a symbolic link',
        prepare: (cwd) => symlink('elsewhere', `${cwd}/.toolkit`),
        says: '.toolkit": it is a symbolic link',
      },
      { name: 'whose certs is a symbolic link', prepare: linkCerts, says: 'certs": it is a symbolic link' },
      { name: 'whose .toolkit is a file', prepare: (cwd) => writeFile(`${cwd}/.toolkit`, ''), says: '.toolkit": it is not a folder' },
      {
        name: 'that cannot be written',
        prepare: (cwd) => rm(cwd, { recursive: true }),
        says: 'certs": this account cannot use it: ENOENT',
      },
    ];
    for (const { name, prepare, says } of badFolders) {
      it(`cannot be kept in a folder ${name}`, async () => {
        const cwd = await temporaryFolder({ 'elsewhere/file': '' });
        await prepare(cwd);
        const error = await rejection(selfSigned(cwd), 'CONFIG_INVALID');
        expect(error.message)
          .to.include(says)
          .and.to.include('Make it a folder that this account owns and can write, or give --cert with --key');
        expect(await readdir(path.join(cwd, 'elsewhere')).catch(() => ['file'])).to.deep.equal(['file']);
      });
    }

    for (const searchPath of [undefined, '.', '']) {
      it(`needs an openssl on the PATH that is not in the folder of the project, with the PATH ${JSON.stringify(searchPath) ?? 'empty'}`, async () => {
        const cwd = await scriptedOpenssl('touch ran');
        const error = await rejection(selfSigned(cwd, { env: { PATH: searchPath ?? (await temporaryFolder()) } }), 'DEPENDENCY_MISSING');
        expect(error.message).to.include('Install OpenSSL, or give --cert with --key instead');
        expect(await readdir(path.join(cwd, '.toolkit/certs'))).to.deep.equal(['.gitignore']);
      });
    }

    const failing: { name: string; script: string; says: string }[] = [
      { name: 'fails', script: `echo 'no entropy' >&2; exit 3`, says: 'it ended with 3. It said: "no entropy"' },
      { name: 'is killed', script: 'kill -9 $$', says: 'it ended with SIGKILL' },
      { name: 'says nothing', script: 'exit 0', says: 'openssl made no usable certificate' },
      { name: 'prints a key', script: `echo 'a -----BEGIN PRIVATE KEY----- hidden' >&2; exit 1`, says: 'It said: "a [private key]"' },
      { name: 'says too much', script: `echo ${'x'.repeat(300)} >&2; exit 1`, says: `"${'x'.repeat(199)}…"` },
      { name: 'certifies another key', script: `echo "$CERT"`, says: 'the key is not that of the certificate' },
    ];
    for (const { name, script, says } of failing) {
      it(`is not made by an openssl that ${name}, and no key is left behind`, async () => {
        const cwd = await temporaryFolder();
        const { cert } = await selfSigned(await temporaryFolder());
        const PATH = await scriptedOpenssl(script.replace('$CERT', cert));
        const error = await rejection(selfSigned(cwd, { env: { PATH } }), 'EXECUTION_FAILED');
        expect(error.message).to.include(says).and.to.include('or give --cert with --key instead').and.not.to.include('hidden');
        expect(await readdir(path.join(cwd, '.toolkit/certs'))).to.deep.equal(['.gitignore']);
      });
    }

    it('is not waited for when openssl hangs', async () => {
      const env = { PATH: await scriptedOpenssl('while :; do :; done') };
      const error = await rejection(selfSigned(await temporaryFolder(), { env, opensslTimeoutMs: 50 }), 'TIMEOUT');
      expect(error.message).to.include('openssl did not end within 50 ms').and.to.include('or give --cert with --key instead');
    });
  });
});

async function modeOf(file: string): Promise<string> {
  return ((await lstat(file)).mode & 0o777).toString(8);
}

const certificateBeside = (file: string): string => path.join(path.dirname(file), 'localhost.crt');

/** The text of a kept pair with a key that is not that of its certificate. */
async function withAnotherKey(file: string): Promise<string> {
  const { key } = await selfSigned(await temporaryFolder());
  return key + (await readFile(certificateBeside(file), 'utf8'));
}

async function linkCerts(cwd: string): Promise<void> {
  await mkdir(path.join(cwd, '.toolkit'));
  await symlink('../elsewhere', path.join(cwd, '.toolkit/certs'));
}
