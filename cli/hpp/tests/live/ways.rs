//! The ways to a system: servers beside the test, and real ones between.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsRawFd;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serial2::SerialPort;
use verilated::tools::tool_path;

use crate::system::System;
use crate::{gdb, litex, openocd};

/// A way: its arguments on the command line, and what has to live as long.
pub struct Way {
    pub arguments: Vec<String>,
    _server: Option<Server>,
}

/// How a way to a system is made.
pub type Through = fn(&System) -> Way;

/// A process that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn way(option: &str, place: impl ToString, server: Option<Server>) -> Way {
    Way {
        arguments: vec![option.into(), place.to_string()],
        _server: server,
    }
}

/// Serves every connection to a port, which is returned.
fn listen(system: &System, serve: fn(&System, TcpStream)) -> u16 {
    let listener = TcpListener::bind("localhost:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let system = system.clone();
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            // Answers are small, and each is waited for.
            connection.set_nodelay(true).expect("a connection");
            serve(&system, connection);
        }
    });
    port
}

pub fn free_port() -> u16 {
    let listener = TcpListener::bind("localhost:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// Starts a server, and waits until it listens on a port.
fn start(command: &mut Command, port: u16) -> Server {
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut server = Server(child.expect("the server starts"));
    let began = Instant::now();
    // What listens, without a connection that the server would have to serve.
    let listens = format!(":{port:04X} 00000000:0000 0A");
    loop {
        let sockets = fs::read_to_string("/proc/net/tcp").expect("a list of sockets");
        if sockets.contains(&listens) {
            return server;
        }
        let ended = server.0.try_wait().expect("a child");
        assert!(ended.is_none(), "the server ended: {ended:?}");
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "it does not listen"
        );
        thread::sleep(Duration::from_millis(20));
    }
}

pub fn gdb(system: &System) -> Way {
    way("--gdb", listen(system, gdb::serve), None)
}

pub fn openocd(system: &System) -> Way {
    way("--openocd", listen(system, openocd::serve), None)
}

/// The device of a serial line with a bridge at its end.
fn line(system: &System) -> String {
    let (ours, theirs) = SerialPort::pair().expect("a pair of terminals");
    let device = fs::read_link(format!("/proc/self/fd/{}", theirs.as_raw_fd()));
    let system = system.clone();
    thread::spawn(move || {
        litex::serve_line(&system, ours);
        // Until then, so that the line does not end when somebody closes it.
        drop(theirs);
    });
    device.expect("its name").display().to_string()
}

pub fn litex_server(system: &System) -> Way {
    let port = free_port();
    let python = tool_path("python").expect("Python packages");
    let mut command = Command::new(python.with_file_name("litex_server"));
    command.args(["--uart", "--uart-port", &line(system)]);
    command.args(["--bind-port", &port.to_string()]);
    way("--litex", port, Some(start(&mut command, port)))
}
