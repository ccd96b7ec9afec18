import type { ReactNode } from 'react';
import iconUrl from '../icon.svg';

interface IconProps {
  readonly size?: number;
}

/** Icons are decoration: their meaning is also given in words. */
const lineIcon = (content: ReactNode) =>
  function Icon({ size = 18 }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {content}
      </svg>
    );
  };

export const CairnIcon = ({ size = 24 }: IconProps) => <img src={iconUrl} width={size} height={size} alt="" />;

export const SearchIcon = lineIcon(
  <>
    <circle cx="11" cy="11" r="7" />
    <path d="m20 20-4-4" />
  </>,
);
export const SourcesIcon = lineIcon(
  <>
    <path d="M12 3 3 8l9 5 9-5z" />
    <path d="m3 13 9 5 9-5" />
  </>,
);
export const FolderIcon = lineIcon(
  <path d="M3 6a1 1 0 0 1 1-1h5l2 3h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1z" />,
);
export const KeyIcon = lineIcon(
  <>
    <circle cx="8" cy="15" r="4" />
    <path d="m11 12 9-9m-4 4 3 3" />
  </>,
);
export const ActivityIcon = lineIcon(<path d="M3 12h4l3-8 4 16 3-8h4" />);
export const SystemIcon = lineIcon(
  <>
    <rect x="3" y="4" width="18" height="7" rx="1.5" />
    <rect x="3" y="13" width="18" height="7" rx="1.5" />
    <path d="M7 7.5h.01M7 16.5h.01" />
  </>,
);
export const GraphIcon = lineIcon(
  <>
    <circle cx="6" cy="7" r="3" />
    <circle cx="18" cy="5" r="2" />
    <circle cx="15" cy="18" r="3" />
    <path d="m9 6.5 7-1.2M7.5 9.7l5.6 6M17.6 7l-1.9 8" />
  </>,
);
export const ReviewIcon = lineIcon(<path d="M4 13h4l2 3h4l2-3h4M4 13l3-8h10l3 8v6H4z" />);
export const ConnectionsIcon = lineIcon(<path d="M9 3v5m6-5v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4" />);
export const ServersIcon = lineIcon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18" />
  </>,
);
export const ClipIcon = lineIcon(
  <path d="m20 11-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7l-8.4 8.4a1.7 1.7 0 0 1-2.4-2.4L14 7.5" />,
);
export const ChatIcon = lineIcon(
  <path d="M4 5h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-8l-5 4v-4H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zm4 4.5h8M8 13h5" />,
);
export const KnowledgeIcon = lineIcon(
  <path d="M9 18h6m-5 3h4M12 3a6 6 0 0 0-4 10.5c.7.7 1 1.2 1 2.5h6c0-1.3.3-1.8 1-2.5A6 6 0 0 0 12 3z" />,
);
export const DocumentIcon = lineIcon(<path d="M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h7" />);
export const FileIcon = lineIcon(<path d="M6 3h8l5 5v13H6zM14 3v5h5" />);
export const CommitIcon = lineIcon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M2 12h6m8 0h6" />
  </>,
);
export const SignOutIcon = lineIcon(<path d="M10 4H5v16h5M15 8l4 4-4 4m4-4H9" />);
