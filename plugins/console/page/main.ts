import { render } from 'preact';
import { App } from './app.ts';
import { html } from './html.ts';
import { applyTheme } from './shell/theme.ts';

const root = document.getElementById('app');
applyTheme();
if (root !== null) render(html`<${App} />`, root);
