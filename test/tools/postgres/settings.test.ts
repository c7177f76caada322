import { expect } from 'chai';
import { readSettings } from '../../../tools/postgres/read-settings.ts';
import type { Settings } from '../../../tools/postgres/settings.ts';
import { tlsOptions } from '../../../tools/postgres/tls.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const names = { POSTGRES_USER: 'ada', POSTGRES_PASSWORD: 'p', POSTGRES_DATABASE: 'books' };

describe('settings of PostgreSQL', () => {
  const urls: readonly { url: string; settings: Partial<Settings> }[] = [
    {
      url: 'postgresql://ada:p@db.example.org:6543/books',
      settings: { host: 'db.example.org', port: 6543, user: 'ada', password: 'p', database: 'books' },
    },
    { url: 'postgres://ada:p@db.example.org/books', settings: { host: 'db.example.org', port: 5432 } },
    { url: 'postgresql://ada@db.example.org', settings: { user: 'ada', password: '', database: 'ada' } },
    { url: 'postgresql://a%40b:p%40ss%2F%23%25@h/d%20b', settings: { user: 'a@b', password: 'p@ss/#%', database: 'd b' } },
    { url: 'postgresql://ada:p@[2001:db8::1]:6543/books', settings: { host: '2001:db8::1', port: 6543, sslMode: 'require' } },
    { url: 'postgresql://ada@[::1]/books', settings: { host: '::1', sslMode: 'disable' } },
    { url: 'postgresql://ada:p@%2Frun%2Fpostgresql/books', settings: { host: '/run/postgresql', sslMode: 'disable' } },
    {
      url: 'postgresql:///books?host=/run/postgresql&user=ada&password=p',
      settings: { host: '/run/postgresql', user: 'ada', password: 'p', database: 'books' },
    },
    { url: 'postgresql://ada@/books', settings: { host: 'localhost', user: 'ada', database: 'books' } },
    { url: 'postgresql://ada@:6543/books?host=/run', settings: { host: '/run', port: 6543 } },
    {
      url: 'postgresql://h/?user=ada&dbname=books&port=6543&application_name=app',
      settings: { host: 'h', database: 'books', port: 6543, applicationName: 'app' },
    },
    {
      url: 'postgresql://ada@h/books?sslmode=verify-full&sslrootcert=/ca&sslcert=/cert&sslkey=/key',
      settings: { sslMode: 'verify-full', sslFiles: { ca: '/ca', cert: '/cert', key: '/key' } },
    },
    {
      url: 'postgresql://ada@h/books?connect_timeout=3&__proto__=x&constructor=y',
      settings: { ignored: ['connect_timeout', '__proto__', 'constructor'] },
    },
  ];
  for (const { url, settings } of urls) {
    it(`are read from ${url}`, () => {
      expect(readSettings({ POSTGRES_URL: url })).to.deep.include(settings);
    });
  }

  const modes: readonly { host?: string; given?: string; mode: string }[] = [
    { mode: 'disable' },
    { host: 'localhost', mode: 'disable' },
    { host: '127.0.0.2', mode: 'disable' },
    { host: '::1', mode: 'disable' },
    { host: '/run', mode: 'disable' },
    { host: '/run', given: 'verify-full', mode: 'disable' },
    { host: 'localhost', given: 'verify-full', mode: 'verify-full' },
    { host: 'db.example.org', mode: 'require' },
    { host: '127.0.0.1.example.org', mode: 'require' },
    { host: '10.0.0.1', mode: 'require' },
    { host: 'db.example.org', given: 'disable', mode: 'disable' },
  ];
  for (const { host, given, mode } of modes) {
    it(`have sslmode ${mode} for ${host ?? 'no host'} and ${given ?? 'no POSTGRES_SSLMODE'}`, () => {
      const more = { ...(host === undefined ? {} : { POSTGRES_HOST: host }), ...(given === undefined ? {} : { POSTGRES_SSLMODE: given }) };
      expect(readSettings({ ...names, ...more }).sslMode).to.equal(mode);
    });
  }

  it('take POSTGRES_SSLMODE for a URL that has none of its own', () => {
    const sslMode = (url: string): string => readSettings({ POSTGRES_URL: url, POSTGRES_SSLMODE: 'verify-ca' }).sslMode;
    expect(sslMode('postgresql://ada@h')).to.equal('verify-ca');
    expect(sslMode('postgresql://ada@h?sslmode=require')).to.equal('require');
  });

  it('show the address, but nothing of a URL', () => {
    expect(readSettings(names).shownAs).to.equal('localhost:5432');
    expect(readSettings({ ...names, POSTGRES_HOST: '::1' }).shownAs).to.equal('[::1]:5432');
    expect(readSettings({ ...names, POSTGRES_HOST: '/run' }).shownAs).to.equal('/run/.s.PGSQL.5432');
    expect(readSettings({ POSTGRES_URL: 'postgresql://ada@h' }).shownAs).to.equal('the server of POSTGRES_URL');
  });
});

describe('TLS options of PostgreSQL', () => {
  const given = (sslMode: Settings['sslMode'], sslFiles: Settings['sslFiles'] = {}) =>
    tlsOptions({ ...readSettings(names), sslMode, sslFiles });

  it('check nothing, the chain, or the name as well', async () => {
    expect(await given('disable')).to.equal(false);
    expect(await given('require')).to.deep.equal({ rejectUnauthorized: false });
    expect(await given('verify-ca'))
      .to.have.keys('rejectUnauthorized', 'checkServerIdentity')
      .and.include({ rejectUnauthorized: true });
    expect(await given('verify-full')).to.deep.equal({ rejectUnauthorized: true });
  });

  it('hold the certificates of files', async () => {
    const folder = await temporaryFolder({ ca: 'the authority', cert: 'the certificate', key: 'the key' });
    const sslFiles = { ca: `${folder}/ca`, cert: `${folder}/cert`, key: `${folder}/key` };
    expect(await given('verify-full', sslFiles)).to.deep.equal({
      rejectUnauthorized: true,
      ca: 'the authority',
      cert: 'the certificate',
      key: 'the key',
    });
    expect(await given('verify-full', { ca: 'system' })).to.deep.equal({ rejectUnauthorized: true });
  });

  it('check the chain for require with a root certificate, as libpq does', async () => {
    const folder = await temporaryFolder({ ca: 'the authority' });
    expect(await given('require', { ca: `${folder}/ca` })).to.include({ rejectUnauthorized: true, ca: 'the authority' });
  });
});
