package org.pingala;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A thread that does something for all long calls, every 20 ms. */
final class Watcher {
    /** Sees that the threads of calls are interrupted. */
    static final Watcher INTERRUPTS = new Watcher("pingala-watcher", Session::look);

    /** Calls listeners: a thread of its own, so that a slow listener delays no interrupt. */
    static final Watcher PROGRESS = new Watcher("pingala-progress", Session::report);

    private static final long EVERY_MILLISECONDS = 20;

    private final String name;
    private final Consumer<Session> task;
    private final List<Session> sessions = new ArrayList<>();
    private boolean started;

    private Watcher(String name, Consumer<Session> task) {
        this.name = name;
        this.task = task;
    }

    void add(Session session) {
        synchronized (sessions) {
            sessions.add(session);
            if (!started) {
                Thread thread = new Thread(null, this::watch, name, 0, false);
                thread.setDaemon(true);
                thread.setContextClassLoader(null);
                thread.start();
                started = true;
            }
            sessions.notifyAll();
        }
    }

    void remove(Session session) {
        synchronized (sessions) {
            sessions.remove(session);
        }
    }

    private void watch() {
        while (true) {
            List<Session> open;
            try {
                synchronized (sessions) {
                    while (sessions.isEmpty()) {
                        sessions.wait();
                    }
                    open = new ArrayList<>(sessions);
                }
                open.forEach(task);
                Thread.sleep(EVERY_MILLISECONDS);
            } catch (InterruptedException e) {
                // Nobody interrupts this thread to any purpose.
            }
        }
    }
}
