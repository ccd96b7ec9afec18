import { Notice, noticeSubject } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';

const WORKSPACE = 2;

/**
 * Calls the listener for every notice about an external server, in any workspace: each replica learns of changes made
 * through another.
 */
export const followNotices = (
  nats: NatsConnection,
  onChanged: (workspaceId: string, serverId: string, type: string) => void,
): void => {
  nats.subscribe(noticeSubject('*'), {
    callback: (error, message) => {
      if (error) return;
      const notice = noticeIn(message.string());
      if (notice?.about === 'server') onChanged(message.subject.split('.')[WORKSPACE] ?? '', notice.id, notice.type);
    },
  });
};

/** A newer ingest may publish notices that this gateway does not know yet. */
const noticeIn = (text: string): Notice | undefined => {
  try {
    return Notice.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};
