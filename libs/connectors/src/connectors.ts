import type { Connector } from './connector.js';
import { folderConnector } from './folder.connector.js';
import { strava } from './strava.connector.js';
import { tidal } from './tidal.connector.js';
import { urlConnector, type FetchPage } from './url.connector.js';

/** What connectors need from the process that runs them. */
export interface ConnectorHost {
  /** Directories that the folder connector may read. If the list is empty, the connector is off. */
  readonly roots: readonly string[];
  readonly fetchPage: FetchPage;
}

/** Every connector of this build, in listing order. */
export const builtInConnectors = ({ roots, fetchPage }: ConnectorHost): readonly Connector[] => [
  folderConnector(roots),
  urlConnector(fetchPage),
  strava,
  tidal,
];

const fetchNothing: FetchPage = () => Promise.reject(new Error('no connector runs here'));

/** The manifests of every connector of this build; none of them needs to run. */
export const CONNECTOR_MANIFESTS = builtInConnectors({ roots: [], fetchPage: fetchNothing }).map(
  ({ manifest }) => manifest,
);
