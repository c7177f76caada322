import { expect } from 'chai';
import { type AddressWindow, restoreAddress, storeAddress } from '../../../../plugins/console/page/return-address.ts';

/** A tab of a browser: its storage stays when it goes to another page. */
class Tab {
  readonly #stored = new Map<string, string>();
  #address: string | undefined;

  open(pathname: string, hash: string): AddressWindow {
    this.#address = hash;
    return {
      location: { pathname, hash },
      history: {
        replaceState: (_state, _unused, url) => {
          this.#address = String(url);
        },
      },
      sessionStorage: {
        getItem: (name) => this.#stored.get(name) ?? null,
        setItem: (name, value) => void this.#stored.set(name, value),
        removeItem: (name) => void this.#stored.delete(name),
      },
    };
  }

  /** Opens the console after a login, and returns the address that is shown. */
  logIn(hash = ''): string | undefined {
    restoreAddress(this.open('/console', hash));
    return this.#address;
  }
}

describe('the address of a link to the console', () => {
  let tab: Tab;
  beforeEach(() => {
    tab = new Tab();
  });

  it('is opened after the login, once', () => {
    storeAddress(tab.open('/console', '#/inbox/a-1'));
    storeAddress(tab.open('/console/login', ''));
    expect([tab.logIn(), tab.logIn()]).to.deep.equal(['#/inbox/a-1', '']);
  });

  it('is not that of an earlier link that nobody logged in for', () => {
    storeAddress(tab.open('/console/', '#/inbox/a-1'));
    storeAddress(tab.open('/console/', ''));
    expect(tab.logIn()).to.equal('');
  });

  it('is that of the page when it has one', () => {
    storeAddress(tab.open('/console', '#/inbox/a-1'));
    expect(tab.logIn('#/calls')).to.equal('#/calls');
  });

  it('is stored only from the address of the console, as an address of its pages', () => {
    storeAddress(tab.open('/console/login', '#/inbox/a-1'));
    storeAddress(tab.open('/console', '#main'));
    expect(tab.logIn()).to.equal('');
  });
});
