import { render } from 'preact';
import { App } from './app.ts';
import { html } from './html.ts';
import { restoreAddress, storeAddress } from './return-address.ts';
import { applyTheme } from './shell/theme.ts';

const root = document.getElementById('app');
applyTheme();
if (root === null) storeAddress(window);
else {
  restoreAddress(window);
  render(html`<${App} />`, root);
}
