import type { Server } from '../../api/answers.js';
import { SmallBadge } from '../../ui/small-badge.js';
import { StoredText } from '../../ui/stored-text.js';
import classes from './servers.module.css';

type Tool = Server['tools'][number];

const STATES: Record<Tool['state'], readonly [color: string, meaning: string]> = {
  listed: ['teal', 'Agents with the scope external are offered it'],
  withheld: ['yellow', 'It is new or has changed since it was approved'],
  waiting: ['gray', 'Nothing of this server was approved yet'],
};

const ToolState = ({ state }: Pick<Tool, 'state'>) => (
  <SmallBadge color={STATES[state][0]} title={STATES[state][1]}>
    {state}
  </SmallBadge>
);

export const ToolList = ({ server }: { readonly server: Server }) => (
  <ul className={classes.tools} aria-label={`Tools of ${server.name}`}>
    {server.tools.map((tool) => (
      <li key={tool.name}>
        <code>
          <StoredText>{tool.listedAs}</StoredText>
        </code>{' '}
        <ToolState state={tool.state} />
      </li>
    ))}
  </ul>
);
