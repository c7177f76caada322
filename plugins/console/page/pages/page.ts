import type { VNode } from 'preact';
import type { Route } from '../router.ts';

/** A page. It stays while the route changes within it, such as from a list to one of its details. */
export type Page = (props: { readonly route: Route }) => VNode;
