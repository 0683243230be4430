extension ScenarioCommand.New {
    /// The scenario that `obscura scenario new` writes. It meets its expectations.
    static let template = """
        # A scenario describes a simulated camera system, what happens to it over time, and what is expected.
        #   obscura replay FILE             plays it and checks the expectations
        #   obscura scenario check FILE     lists errors without playing it
        #   obscura scenario explain FILE   prints it in words
        # All keys and actions: docs/scenarios.md

        # The version of the file format.
        scenario: 1
        # What it proves, in one line.
        name: A phone call interrupts a recording

        # What is simulated. Built-in profiles are phone, webcam, capture-card and usb-microphone;
        # 'obscura devices --profile phone' lists the IDs of the devices.
        devices:
          profile: phone
          scene: street

        # The session under test. A small preset is fast.
        session:
          preset: 640x480
          outputs: [movie, photo]

        # What happens, in the order of the times.
        timeline:
          - {at: 0 s, do: start}
          - {at: 0.2 s, do: record, to: call.mov}
          # The call: the microphone is in use by another client, so the session is interrupted.
          - {at: 1 s, do: interrupt, reason: audio-in-use}
          - {at: 1.5 s, do: end-interruption, reason: audio-in-use}
          - {at: 1.8 s, do: photo, to: after.jpg}
        end: 2.5 s

        # What must have happened. An event is the first words of a line of the log; --log FILE writes the log.
        expect:
          # The events in this order; others may lie between them.
          - events:
              - session did start running
              - recording did start call.mov
              - session was interrupted audio-in-use
              - session interruption ended
          # The recording ends with the interruption, with Apple's error in kebab case.
          - {error: session-was-interrupted, of: call.mov, at: 1 s}
          # The session runs again by itself.
          - {session: interrupted, from: 1 s, until: 1.5 s}
          - {session: running, from: 1.5 s, until: 2.5 s}
          # What was recorded before the call can be played. A list of two is the least and the most.
          - {movie: call.mov, duration: [0.7 s, 0.85 s], playable: true}
          # The phone is held upright, so the photo is higher than wide.
          - {photo: after.jpg, size: 480x640}
          - {never: misuse}

        """
}
