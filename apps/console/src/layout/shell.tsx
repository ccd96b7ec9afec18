import { ActionIcon, Badge, Tooltip } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { ConfirmationBanner } from '../live/confirmation-banner.js';
import { useLive } from '../live/live.js';
import { countLabel } from '../live/review-count.js';
import { useRights, useSession } from '../session/session.js';
import {
  ActivityIcon,
  CairnIcon,
  ConnectionsIcon,
  FolderIcon,
  GraphIcon,
  KeyIcon,
  ReviewIcon,
  SearchIcon,
  ServersIcon,
  SignOutIcon,
  SourcesIcon,
  SystemIcon,
} from '../ui/icons.js';
import classes from './shell.module.css';

const PAGES = [
  { path: '/search', name: 'Search', Icon: SearchIcon },
  { path: '/sources', name: 'Sources', Icon: SourcesIcon },
  { path: '/graph', name: 'Graph', Icon: GraphIcon, isForAdmins: true },
  { path: '/review', name: 'Review', Icon: ReviewIcon, isForAdmins: true },
  { path: '/folders', name: 'Folders', Icon: FolderIcon },
  { path: '/connections', name: 'Connections', Icon: ConnectionsIcon, isForAdmins: true },
  { path: '/servers', name: 'Servers', Icon: ServersIcon, isForAdmins: true },
  { path: '/tokens', name: 'Tokens', Icon: KeyIcon, isForAdmins: true },
  { path: '/activity', name: 'Activity', Icon: ActivityIcon, isForAdmins: true },
  { path: '/system', name: 'System', Icon: SystemIcon, isForAdmins: true },
];

const Navigation = () => {
  const [location] = useLocation();
  const { isAdmin } = useRights();
  const { pending, reviewCount } = useLive();
  // The number of entries that wait for a person. Hidden from screen readers, which get it from the banner and the
  // page.
  const counts: Readonly<Record<string, string>> = {
    '/activity': countLabel(pending.length),
    '/review': countLabel(reviewCount),
  };
  return (
    <nav className={classes.nav} aria-label="Pages">
      {PAGES.filter(({ isForAdmins }) => isAdmin || !isForAdmins).map(({ path, name, Icon }) => (
        <Link
          key={path}
          href={path}
          className={classes.link ?? ''}
          aria-current={location === path || location.startsWith(`${path}/`) ? 'page' : undefined}
        >
          <Icon size={20} />
          {name}
          {counts[path] && (
            <span aria-hidden className={classes.count}>
              {counts[path]}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
};

const CONNECTIONS = {
  open: ['Live', 'teal', 'Pages update by themselves'],
  lost: ['Reconnecting', 'yellow', 'Pages may be out of date until the connection is back'],
  connecting: ['Connecting', 'gray', 'Pages update by themselves in a moment'],
  refused: ['Not live', 'gray', 'Pages show what was there when they were opened: live updates need the admin scope'],
} as const;

const Connection = () => {
  const [label, color, meaning] = CONNECTIONS[useLive().connection];
  return (
    <Badge variant="dot" color={color} tt="none" role="status" aria-label={`Connection: ${label}`} title={meaning}>
      {label}
    </Badge>
  );
};

/** The frame of every page: a side bar on wide screens, a bar of tabs at the bottom on phones. */
export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const { signOut } = useSession();
  const [location] = useLocation();
  useEffect(() => scrollTo(0, 0), [location]);
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <ConfirmationBanner />
      <header className={classes.header}>
        <span className={classes.brand}>
          <CairnIcon size={26} />
          Cairn
        </span>
        <Navigation />
        <div className={classes.session}>
          <Connection />
          <Tooltip label="Sign out">
            <ActionIcon variant="subtle" color="gray" aria-label="Sign out" onClick={signOut}>
              <SignOutIcon />
            </ActionIcon>
          </Tooltip>
        </div>
      </header>
      <main id="content" className={classes.content} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
};
