import { expect } from 'chai';
import { PostgresHosts, urlsOfHosts } from '../../../../plugins/shared/state/postgres-hosts.ts';
import { nameOfDatabase, postgresUrl } from '../../../../plugins/shared/state/postgres-url.ts';

describe('the URL of a database', () => {
  for (const { url, urls } of [
    { url: 'postgresql://one/db', urls: ['postgresql://one/db'] },
    { url: 'postgres://u:p%2C@one:1,two:2/db?a=b,c', urls: ['postgres://u:p%2C@one:1/db?a=b,c', 'postgres://u:p%2C@two:2/db?a=b,c'] },
    { url: 'postgresql://u:p,q@one,two', urls: ['postgresql://u:p,q@one', 'postgresql://u:p,q@two'] },
    { url: 'postgresql://[::1]:1,[::2]:2/db', urls: ['postgresql://[::1]:1/db', 'postgresql://[::2]:2/db'] },
    { url: '', urls: [''] },
  ])
    it(`has a URL for each host: ${url || 'none'}`, () => expect(urlsOfHosts(url)).to.deep.equal(urls));

  it('is named without credentials', () =>
    expect(nameOfDatabase('postgresql://ada:secret@one:1,two:2/db?sslmode=require')).to.equal('postgresql://one:1,two:2/db'));

  for (const { title, url, says } of [
    { title: 'of another database', url: 'mysql://one/db', says: 'received another text' },
    { title: 'with a host that cannot be read', url: 'postgresql://one:1,two:x/db', says: 'received another text' },
    { title: 'without a value', url: '', says: 'received none' },
    { title: 'that asks for a standby', url: 'postgresql://one,two/db?target_session_attrs=standby', says: 'target_session_attrs' },
    { title: 'that names hosts twice', url: 'postgresql://one,two/db?host=three', says: 'the parameter host' },
  ])
    it(`is refused ${title}`, () => expect(() => postgresUrl('store-postgres', url, () => {})).to.throw(says));

  it('masks the password and itself', () => {
    const masked: string[] = [];
    const url = 'postgresql://ada:s%2Cecret@one,two/db?target_session_attrs=read-write';
    expect(postgresUrl('store-postgres', url, (_name, value) => masked.push(value))).to.equal(url);
    expect(masked).to.include.members([url, 's,ecret']);
  });
});

describe('the hosts of a database', () => {
  it('are used one after the other, and left once by many that fail at the same time', () => {
    const hosts = new PostgresHosts('postgresql://one,two/db');
    const first = hosts.current;
    hosts.leave(first);
    hosts.leave(first);
    expect(hosts.current).to.equal('postgresql://two/db');
    hosts.leave(hosts.current);
    expect(hosts.current).to.equal(first);
  });
});
