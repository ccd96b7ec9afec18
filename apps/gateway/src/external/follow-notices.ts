import { messageIn, Notice, noticeSubject } from '@cairn/contracts';
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
      const notice = messageIn(Notice, message.string());
      if (notice?.about === 'server') onChanged(message.subject.split('.')[WORKSPACE] ?? '', notice.id, notice.type);
    },
  });
};
