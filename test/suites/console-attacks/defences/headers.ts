import type { Defence } from './defence.ts';

const file = 'plugins/console/headers.ts';

export const frameAncestors: Defence = { name: 'frame-ancestors of the policy', file, replace: [" frame-ancestors 'none';", ''] };

export const frameOptions: Defence = { name: 'X-Frame-Options', file, replace: ["  'x-frame-options': 'DENY',\n", ''] };

export const openerPolicy: Defence = {
  name: 'Cross-Origin-Opener-Policy',
  file,
  replace: ["  'cross-origin-opener-policy': 'same-origin',\n", ''],
};

export const resourcePolicy: Defence = {
  name: 'Cross-Origin-Resource-Policy',
  file,
  replace: ["  'cross-origin-resource-policy': 'same-origin',\n", ''],
};

export const scriptSources: Defence = {
  name: 'the policy against inline script',
  file,
  replace: ["script-src 'self';", "script-src 'self' 'unsafe-inline';"],
};

export const trustedTypes: Defence = { name: 'Trusted Types', file, replace: ["; require-trusted-types-for 'script'", ''] };

export const imageSources: Defence = {
  name: 'the policy against foreign images',
  file,
  replace: ["img-src 'self' data:;", 'img-src * data:;'],
};

export const formTargets: Defence = { name: 'the policy against foreign forms', file, replace: ["form-action 'self';", 'form-action *;'] };
