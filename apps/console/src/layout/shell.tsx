import { ActionIcon, Badge, Tooltip } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { ConfirmationBanner } from '../live/confirmation-banner.js';
import { useLive } from '../live/live.js';
import { useSession } from '../session/session.js';
import {
  ActivityIcon,
  CairnIcon,
  FolderIcon,
  KeyIcon,
  SearchIcon,
  SignOutIcon,
  SourcesIcon,
  SystemIcon,
} from '../ui/icons.js';
import classes from './shell.module.css';

const PAGES = [
  { path: '/search', name: 'Search', Icon: SearchIcon },
  { path: '/sources', name: 'Sources', Icon: SourcesIcon },
  { path: '/folders', name: 'Folders', Icon: FolderIcon },
  { path: '/tokens', name: 'Tokens', Icon: KeyIcon },
  { path: '/activity', name: 'Activity', Icon: ActivityIcon },
  { path: '/system', name: 'System', Icon: SystemIcon },
] as const;

const Navigation = () => {
  const [location] = useLocation();
  return (
    <nav className={classes.nav} aria-label="Pages">
      {PAGES.map(({ path, name, Icon }) => (
        <Link
          key={path}
          href={path}
          className={classes.link ?? ''}
          aria-current={location === path || location.startsWith(`${path}/`) ? 'page' : undefined}
        >
          <Icon size={20} />
          {name}
        </Link>
      ))}
    </nav>
  );
};

const CONNECTIONS = {
  open: ['Live', 'teal'],
  lost: ['Reconnecting', 'yellow'],
  connecting: ['Connecting', 'gray'],
  refused: ['Not live', 'gray'],
} as const;

const Connection = () => {
  const [label, color] = CONNECTIONS[useLive().connection];
  return (
    <Badge variant="dot" color={color} tt="none" role="status" aria-label={`Connection: ${label}`}>
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
