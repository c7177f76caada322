import type { VNode } from 'preact';
import type { Overview } from '../../wire/state.ts';
import { Button } from '../components/button.ts';
import { shownLine } from '../formats/shown-text.ts';
import { html } from '../html.ts';
import { ThemeSwitch } from './theme.ts';

export interface HeaderProps {
  readonly overview: Overview;
  readonly isOnline: boolean;
  readonly isMenuOpen: boolean;
  readonly onMenu: () => void;
  readonly onHelp: () => void;
  readonly onSignOut: () => void;
}

/** The line above all pages: name, connection, the signed-in person. */
export function Header({ overview, isOnline, isMenuOpen, onMenu, onHelp, onSignOut }: HeaderProps): VNode {
  return html`<header class="header">
    <span class="menu-button"><${Button} kind="quiet" icon="menu" label="Pages" controls="navigation" expanded=${isMenuOpen} onClick=${onMenu} /></span>
    <a class="brand" href="#/inbox"><span class="mark" aria-hidden="true"></span>toolkit <span class="brand-part">console</span></a>
    <span class=${`connection ${isOnline ? 'online' : 'offline'}`} role="status">${isOnline ? 'Live' : 'Offline'}</span>
    <span class="spacer"></span>
    <span class="person" title=${`Version ${overview.version}`}><span class="hidden-text">Signed in as </span>${shownLine(overview.name)}</span>
    <span class="help-button"><${Button} kind="quiet" icon="help" label="Keys" onClick=${onHelp} /></span>
    <${ThemeSwitch} />
    <${Button} kind="quiet" icon="leave" label="Sign out" onClick=${onSignOut} />
  </header>`;
}
