import { existsSync } from 'node:fs';

/**
 * Returns a sentence about each folder that a suite needs and that is not there.
 * @param {readonly import('./suites.mjs').Data[] | undefined} data
 * @returns {string[]}
 */
export function missingData(data = [], env = process.env) {
  return data
    .map(({ variable, folder, holds }) => ({ variable, holds, place: env[variable] || folder }))
    .filter(({ place }) => !existsSync(place))
    .map(({ variable, holds, place }) => `There is no folder "${place}". Set ${variable} to a folder with ${holds}.`);
}
