package org.pingala;

import java.util.ArrayList;
import java.util.List;

/** One thread for all long calls: it sees that their threads are interrupted, and reports their progress. */
final class Watcher {
    private static final long EVERY_MILLISECONDS = 20;
    private static final List<Session> SESSIONS = new ArrayList<>();
    private static boolean started;

    private Watcher() {}

    static void add(Session session) {
        synchronized (SESSIONS) {
            SESSIONS.add(session);
            if (!started) {
                Thread thread = new Thread(null, Watcher::watch, "pingala-watcher", 0, false);
                thread.setDaemon(true);
                thread.setContextClassLoader(null);
                thread.start();
                started = true;
            }
            SESSIONS.notifyAll();
        }
    }

    static void remove(Session session) {
        synchronized (SESSIONS) {
            SESSIONS.remove(session);
        }
    }

    private static void watch() {
        while (true) {
            List<Session> open;
            try {
                synchronized (SESSIONS) {
                    while (SESSIONS.isEmpty()) {
                        SESSIONS.wait();
                    }
                    open = new ArrayList<>(SESSIONS);
                }
                for (Session session : open) {
                    session.look();
                }
                Thread.sleep(EVERY_MILLISECONDS);
            } catch (InterruptedException e) {
                // Nobody interrupts this thread to any purpose.
            }
        }
    }
}
